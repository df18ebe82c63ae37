// Whether something that is waited for takes longer than usual.
import { useEffect, useState } from "react";

/** False, and true once the component has been on the page for `ms` milliseconds. */
export function useLate(ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return late;
}
