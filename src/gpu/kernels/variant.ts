// The choice between the two variants of a kernel: barriers are expensive on software adapters, idle lanes on real GPUs.

/** The part of `GpuCaps` that decides. */
export interface VariantCaps {
  readonly software: boolean;
}

/** A function from the adapter to one of two specs with the same bindings and uniforms; it has both as properties. */
export const variants = <Spec>(serial: Spec, workgroup: Spec) =>
  Object.assign(({ software }: VariantCaps) => (software ? serial : workgroup), { serial, workgroup });

/**
 * Constants of a kernel whose invocations read several places before they use the first: real GPUs wait for memory otherwise, while
 * software adapters become slower (rope by 60 % on SwiftShader).
 */
export const readsAhead = ({ software }: VariantCaps) => ({ AHEAD: software ? 1 : 4 });
