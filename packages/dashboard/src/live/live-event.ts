/** The part of an event that determines which screens it concerns. */
export interface LiveEvent {
  id: string;
  type: string;
  /** The affected resources. */
  ids: readonly string[];
}

const NAMES = ['id', 'license_id', 'subscription_id', 'invoice_id'] as const;

/** Parses the `data` of an event stream; undefined for anything but an event. */
export function readLiveEvent(data: string): LiveEvent | undefined {
  const event: unknown = JSON.parse(data);
  const { id, type } = Object(event);
  const object = Object(Object(Object(event).data).object);
  if (typeof id !== 'string' || typeof type !== 'string') {
    return undefined;
  }
  const ids = NAMES.map((name): unknown => object[name]);
  return { id, type, ids: ids.filter((each) => typeof each === 'string') };
}
