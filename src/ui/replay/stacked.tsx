// Two replays on a small screen: below the two pictures there is room for the words of one.
import type { ReactNode } from "react";
import { Segmented } from "../components/controls.tsx";
import type { Two } from "./pair-moment.ts";
import { Whose } from "./whose.ts";

/** The parts of one side of a pair, to be put where there is room for them. */
export interface SideParts {
  head: ReactNode;
  picture: ReactNode;
  fromHere: ReactNode;
  words: ReactNode;
  views: ReactNode;
  /** The visitor's game in place of the side; null while the replay is watched. */
  own: ReactNode;
}

interface StackedProps {
  parts: Two<SideParts>;
  titles: readonly string[];
  /** The side whose words are shown. */
  spoken: number;
  onSpoken: (side: number) => void;
}

/** Both pictures, then the words of one: the order in which the parts are on a small screen is that of the document, too. */
export function Stacked({ parts, titles, spoken, onSpoken }: StackedProps) {
  return (
    <>
      {parts.map(({ head }, i) => (
        <div key={titles[i]}>{head}</div>
      ))}
      {parts.map(({ picture }, i) => (
        // biome-ignore lint/a11y/useSemanticElements: a picture is no fieldset
        <div key={titles[i]} role="group" aria-label={titles[i]} className={i === spoken ? MARKED : ""}>
          {picture}
        </div>
      ))}
      <WordsOf titles={titles} spoken={spoken} onSpoken={onSpoken} />
      {parts.map((side, i) => (
        <Words key={titles[i]} side={side} title={titles[i]!} hidden={i !== spoken} />
      ))}
    </>
  );
}

/** The picture whose words are below the two. */
const MARKED = "rounded-lg ring-2 ring-accent ring-offset-2 ring-offset-surface";

function WordsOf({ titles, spoken, onSpoken }: Omit<StackedProps, "parts">) {
  return (
    <div className="col-span-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-dense">
      <span aria-hidden>Words of</span>
      <Segmented
        name="Words of"
        value={String(spoken)}
        choices={titles.map((label, i) => ({ value: String(i), label }))}
        onChange={(value) => onSpoken(Number(value))}
      />
    </div>
  );
}

interface WordsProps {
  side: SideParts;
  title: string;
  /** Hidden rather than left out: what runs and what is open in them stays when the other side's words are shown. */
  hidden: boolean;
}

const Words = ({ side: { words, fromHere, views }, title, hidden }: WordsProps) => (
  <Whose value={title}>
    {/* biome-ignore lint/a11y/useSemanticElements: the words of a replay are no fieldset */}
    <div role="group" aria-label={title} hidden={hidden} className="col-span-2 flex min-w-0 flex-col gap-3">
      {words}
      <div className="flex flex-wrap gap-2">{fromHere}</div>
      <div className="empty:hidden">{views}</div>
    </div>
  </Whose>
);
