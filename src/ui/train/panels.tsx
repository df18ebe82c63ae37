// The three panels of Train: side by side on wide screens, behind tabs on small ones. They are the same elements at every width, so
// that a game, a list or a scroll position outlives a turned tablet. A hidden panel keeps its state and does no work.
import * as Tabs from "@radix-ui/react-tabs";
import { PanelLeftOpen, PanelRightOpen } from "lucide-react";
import { Activity, type ReactNode, useRef } from "react";
import { IconButton } from "../components/controls.tsx";
import { useEver } from "../lib/use-ever.ts";
import { useWide } from "../lib/use-media.ts";
import { setUi, type TrainTab, useUi } from "../store/ui-store.ts";
import { useScrollPlace } from "./scroll-place.ts";

const TABS: readonly { value: TrainTab; label: string }[] = [
  { value: "configure", label: "Configure" },
  { value: "charts", label: "Charts" },
  { value: "episodes", label: "Episodes" },
];

interface PanelsProps extends Readonly<Record<TrainTab, ReactNode>> {
  /** What is below the panels that have no Start button, where they are behind tabs. */
  below: ReactNode;
}

export function Panels({ configure, charts, episodes, below }: PanelsProps) {
  const wide = useWide();
  const tab = useUi((ui) => ui.trainTab);
  const configureOpen = useUi((ui) => ui.configureOpen);
  const episodesOpen = useUi((ui) => ui.episodesOpen);
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => setUi({ trainTab: value as TrainTab })}
      // Tall notices above, such as several open alarms, must not squeeze the panels: then the whole room scrolls.
      className="mx-auto flex w-full max-w-[1760px] flex-1 max-lg:flex-col lg:min-h-[60dvh]"
    >
      {!wide && <TabBar />}
      {wide && !configureOpen && (
        <Edge icon={PanelLeftOpen} what="configuration" onShow={() => setUi({ configureOpen: true })} />
      )}
      <Panel of="configure" isOpen={configureOpen} className="border-line lg:w-80 lg:flex-none lg:border-r">
        {configure}
      </Panel>
      <Panel of="charts" isOpen className="min-w-0 flex-1 p-4">
        {charts}
      </Panel>
      <Panel
        of="episodes"
        isOpen={episodesOpen}
        className="border-line max-lg:flex-1 lg:w-[360px] lg:flex-none lg:border-l"
      >
        {episodes}
      </Panel>
      {wide && !episodesOpen && (
        <Edge icon={PanelRightOpen} what="episodes" onShow={() => setUi({ episodesOpen: true })} />
      )}
      {!wide && tab !== "configure" && below}
    </Tabs.Root>
  );
}

function TabBar() {
  return (
    <Tabs.List
      aria-label="Panels"
      className="stuck-top sticky top-(--sticky-top) z-10 flex border-b border-line bg-surface px-2"
    >
      {TABS.map(({ value, label }) => (
        <Tabs.Trigger
          key={value}
          value={value}
          // The header above would cover the upper edge of a ring outside.
          className="h-11 flex-1 border-b-2 border-transparent -outline-offset-2 text-body text-muted data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-text"
        >
          {label}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

interface PanelProps {
  of: TrainTab;
  /** Whether it is shown beside the others, where there is room. */
  isOpen: boolean;
  className: string;
  children: ReactNode;
}

/** Its content is rendered once it was first shown. */
function Panel({ of, isOpen, className, children }: PanelProps) {
  const wide = useWide();
  const isTab = useUi((ui) => ui.trainTab === of);
  const isShown = wide ? isOpen : isTab;
  const wasShown = useEver(isShown);
  const ref = useRef<HTMLDivElement>(null);
  useScrollPlace(ref, wide, isShown);
  // Where the window becomes too narrow for three, the panel that was used last stays in view.
  const use = () => !isTab && setUi({ trainTab: of });
  return (
    <Tabs.Content
      ref={ref}
      value={of}
      forceMount
      hidden={!isShown}
      onPointerDownCapture={use}
      onFocusCapture={use}
      className={`lg:relative lg:overflow-y-auto lg:[scrollbar-gutter:stable] ${className}`}
      {...(wide ? SIDE_BY_SIDE : BEHIND_TAB)}
    >
      <Activity mode={isShown ? "visible" : "hidden"}>{wasShown && children}</Activity>
    </Tabs.Content>
  );
}

/** Without tabs there are no panels of tabs. */
const SIDE_BY_SIDE = { role: undefined, "aria-labelledby": undefined, tabIndex: undefined };
const BEHIND_TAB = { tabIndex: -1 };

/** The edge that a hidden panel leaves. */
function Edge(props: { icon: typeof PanelLeftOpen; what: string; onShow: () => void }) {
  return (
    <div className="flex-none border-line p-1.5 first:border-r last:border-l">
      <IconButton icon={props.icon} name={`Show the ${props.what}`} small onClick={props.onShow} />
    </div>
  );
}
