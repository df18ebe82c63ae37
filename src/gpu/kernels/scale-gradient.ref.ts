// CPU twin of the scaled gradient, in f64.

/** Twin of scale_gradient: grad · scale. */
export const scaleGradientRef = (grad: ArrayLike<number>, scale: number): Float64Array =>
  Float64Array.from(grad, (g) => g * scale);
