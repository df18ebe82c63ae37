// The choice between the two variants of a kernel: barriers are expensive on software adapters, idle lanes on real GPUs.
/** The part of `GpuCaps` that decides. */
export interface VariantCaps {
  readonly software: boolean;
}

/** A function from the adapter to one of two specs with the same bindings and uniforms. */
export function byAdapter<Spec>(software: Spec, hardware: Spec): (caps: VariantCaps) => Spec {
  return (caps) => (caps.software ? software : hardware);
}

/** `byAdapter`, with both specs as properties. */
export const variants = <Spec>(serial: Spec, workgroup: Spec) =>
  Object.assign(byAdapter(serial, workgroup), { serial, workgroup });
