/** Whether an endpoint that subscribed to these types, groups such as `license.*`, or `*` wants an event of this type. */
export function wantsEvent(subscribed: readonly string[], type: string): boolean {
  return subscribed.some((each) => patternsOf(type).includes(each));
}

/** All subscriptions that include this type: itself, its groups, and `*`. */
export function patternsOf(type: string): string[] {
  const parts = type.split('.');
  const groups = parts.slice(0, -1).map((_, index) => `${parts.slice(0, index + 1).join('.')}.*`);
  return [type, ...groups, '*'];
}

/** Whether this names a type of the catalogue, a group that has one, or all. */
export function isKnownPattern(catalogue: readonly string[], pattern: string): boolean {
  return catalogue.some((type) => patternsOf(type).includes(pattern));
}
