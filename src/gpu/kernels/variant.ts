// The choice between the two variants of a kernel: barriers are expensive on software adapters, idle lanes on real GPUs.
/** The part of `GpuCaps` that decides. */
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
