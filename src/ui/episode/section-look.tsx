// Label and icon of each part of a reply; its colour and rail are in the stylesheet.
import { Brain, Eye, FastForward, Mountain, Play, Ruler, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { GroupKind } from "./token-model.ts";

export const SECTION_LOOKS = {
  observation: { label: "Observation", about: "belief about now", icon: Eye },
  reasoning: { label: "Reasoning", about: "how it decides", icon: Brain },
  prediction: { label: "Prediction", about: "belief about next", icon: FastForward },
  answer: { label: "Action", about: "", icon: Play },
  call: { label: "Tool call", about: "asks before it answers", icon: Ruler },
  other: { label: "Unparsed", about: "outside every expected part", icon: TriangleAlert },
  environment: { label: "Environment", about: "given to the policy, not trained on", icon: Mountain },
} as const satisfies Record<GroupKind, { label: string; about: string; icon: unknown }>;

/** A part of a reply as a labelled block with its rail. */
export function SectionBlock({
  kind,
  aside,
  children,
}: {
  kind: GroupKind;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { label, about, icon: Icon } = SECTION_LOOKS[kind];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a reply is no fieldset
    <div role="group" aria-label={label} className={`section section-${kind}`}>
      <div className="mb-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-caption">
        {/* One line of 20 px: where there is no room beside `aside`, what the part is about wraps out of sight, and then `aside` below. */}
        <span className="flex h-5 min-w-min flex-1 flex-wrap items-center gap-x-1.5 overflow-hidden leading-5">
          <span className="flex flex-none items-center gap-x-1.5">
            <span className="rail-icon">
              <Icon size={13} aria-hidden />
            </span>
            <span className="font-semibold">{label}</span>
          </span>
          <span className="opacity-80">{about}</span>
        </span>
        {aside && <span className="flex-none">{aside}</span>}
      </div>
      {children}
    </div>
  );
}
