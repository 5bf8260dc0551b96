/**
 * The quotient of two integers, rounded half away from zero (contract §8) to a multiple of `unit`, without a floating number
 * on the way. `denominator` and `unit` are positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint, unit = 1n): bigint {
  const divisor = denominator * unit;
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = ((size + divisor / 2n) / divisor) * unit;
  return numerator < 0n ? -rounded : rounded;
}

/** An amount rounded half away from zero to what can be charged. */
export function roundToUnit(amount: bigint, unit: bigint): bigint {
  return divideRounded(amount, 1n, unit);
}
