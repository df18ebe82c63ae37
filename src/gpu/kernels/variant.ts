// Kernels with a separate file per variant: software adapters pay dearly for barriers, real GPUs for idle lanes.
/** What variants are chosen by; `GpuCaps` has it. */
export interface VariantCaps {
  readonly software: boolean;
}

/** A function from the adapter to one of two specs with the same bindings and uniforms. */
export function byAdapter<Spec>(software: Spec, hardware: Spec): (caps: VariantCaps) => Spec {
  return (caps) => (caps.software ? software : hardware);
}

/** `byAdapter` for both variants of a row kernel or a column kernel. */
export const chooser = <Serial, Workgroup>(variants: { serial: Serial; workgroup: Workgroup }) =>
  byAdapter<Serial | Workgroup>(variants.serial, variants.workgroup);
