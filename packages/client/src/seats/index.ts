export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  SeatholdError,
  ServerError,
  ServiceUnavailableError,
  TimeoutError,
  UnexpectedAnswerError,
  ValidationError,
} from '../errors.ts';
export type { Fetch, FetchRequest, FetchResponse } from '../settings.ts';
export { fileStore } from './file-store.ts';
export { createHardwareId, deriveHardwareId } from './hardware-id.ts';
export type { FeatureValue } from './keeper-types.ts';
export { Seat } from './seat.ts';
export type { SeatEvent, SeatEventOf, SeatEventType } from './seat-events.ts';
export type { SeatOptions } from './seat-options.ts';
export type { SeatStore } from './seat-store.ts';
