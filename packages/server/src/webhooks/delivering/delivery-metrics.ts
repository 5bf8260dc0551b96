/** What the delivery of events tells of itself, for whoever is woken at night. */
export interface DeliveryMetrics {
  /** An attempt ended: `succeeded`, or the class of its error. */
  countAttempt(outcome: string): void;
  /** The time from an event to the start of the first attempt at a delivery of it, in seconds. */
  observeLag(seconds: number): void;
}
