/**
 * The quotient of two integers, rounded half away from zero (contract §8), without a floating number on the way.
 * `denominator` is positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (size + denominator / 2n) / denominator;
  return numerator < 0n ? -rounded : rounded;
}
