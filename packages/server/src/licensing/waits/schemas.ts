import { Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';

const WaitId = Type.String({ pattern: idPattern('seatWait') });
const Place = {
  position: Type.Integer({ minimum: 1, description: 'The place in the waiting list. 1 is next.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When the wait ends.' }),
  poll_after_seconds: Type.Integer({
    minimum: 1,
    maximum: 25,
    description: 'If you poll without `timeout`, send the next request within this many seconds.',
  }),
};

/** The place of a machine in the waiting list. */
export const PlaceInLine = Type.Object({ wait_id: WaitId, ...Place }, { title: 'PlaceInLine' });

export const WaitingBody = Type.Integer({
  minimum: 1,
  maximum: 3_600,
  description:
    'If no seat is free, joins the waiting list for up to this many seconds. The response is then 202, and GET /v1/licenses/waits/{wait_id} gets the seat.',
});

/** A wait. Its other fields depend on its status. */
export function defineSeatWait(acquired: ReturnType<typeof Type.Object>) {
  const seat = Object.fromEntries(
    Object.entries(acquired.properties).map(([name, type]) => [name, Type.Optional(type)]),
  );
  return Type.Object(
    {
      wait_id: WaitId,
      status: Type.Enum(['waiting', 'granted', 'expired', 'canceled']),
      position: Type.Optional(Place.position),
      poll_after_seconds: Type.Optional(Place.poll_after_seconds),
      reason: Type.Optional(
        Type.String({ description: 'Why the wait was canceled, for example `license_suspended`.' }),
      ),
      ...seat,
      expires_at: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'When the wait ends. Once a seat is granted, when the license token expires.',
        }),
      ),
    },
    { title: 'SeatWait' },
  );
}

export const WaitParameters = Type.Object({ wait_id: Type.String() });
export const WaitQuery = Type.Object({
  timeout: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 25, description: 'How many seconds to wait for your turn. The default is 0.' }),
  ),
});
