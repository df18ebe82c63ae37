// Name, rooms, theme and help.
import { CircleHelp, Monitor, Moon, Sun } from "lucide-react";
import { Suspense, useState } from "react";
import { NavLink } from "react-router";
import { IconButton } from "../components/controls.tsx";
import { useAfterFirstPicture } from "../lib/first-picture.ts";
import { room } from "../lib/room.tsx";
import { chooseTheme, readTheme, type Theme } from "../store/ui-store.ts";

const DeviceChip = room(() => import("./device-chip.tsx"));

const ROOMS = [
  { to: "/", name: "Home" },
  { to: "/train", name: "Train" },
  { to: "/trace", name: "Traces" },
] as const;

export function Header({ onHelp }: { onHelp: () => void }) {
  const loadsRest = useAfterFirstPicture();
  return (
    <header className="stuck-top sticky top-0 z-30 flex-none border-b border-line bg-surface">
      <div className="mx-auto flex h-(--header-height) max-w-[1760px] items-center gap-3 px-4 max-sm:gap-1.5">
        <a href="#/" className="flex items-center gap-2 text-lead font-semibold whitespace-nowrap">
          <Mark />
          <span className="max-sm:visually-hidden">VAGEN Studio</span>
        </a>
        <nav aria-label="Pages" className="flex h-full items-stretch">
          {ROOMS.map((room) => (
            <NavLink
              key={room.to}
              to={room.to}
              className={({ isActive }) =>
                `flex items-center border-b-2 px-3 text-body max-sm:px-2 ${
                  isActive ? "border-accent font-semibold" : "border-transparent text-muted hover:text-text"
                }`
              }
            >
              {room.name}
            </NavLink>
          ))}
        </nav>
        <span className="flex-1" />
        <Suspense fallback={null}>{loadsRest && <DeviceChip />}</Suspense>
        <ThemeButton />
        <IconButton icon={CircleHelp} name="Keyboard shortcuts (?)" onClick={onHelp} />
      </div>
    </header>
  );
}

/** Four tiles of a grid world: the agent, its path and the goal. */
function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <rect x="1" y="1" width="9" height="9" rx="2" fill="var(--observation)" />
      <rect x="12" y="1" width="9" height="9" rx="2" fill="var(--reasoning)" />
      <rect x="12" y="12" width="9" height="9" rx="2" fill="var(--prediction)" />
      <rect x="1" y="12" width="9" height="9" rx="2" fill="var(--action)" />
    </svg>
  );
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  const change = () => {
    chooseTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return (
    <IconButton icon={ICONS[theme]} name={`Theme: ${theme}. Change to ${NEXT[theme]}`} onClick={change} />
  );
}
