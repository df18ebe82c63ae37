// Conditions that stay met, for parts that must not vanish while they are used.
import { useState } from "react";

/** Whether `condition` holds, or has held since the component was mounted. */
export function useEver(condition: boolean): boolean {
  const [held, setHeld] = useState(condition);
  if (condition && !held) setHeld(true);
  return held || condition;
}
