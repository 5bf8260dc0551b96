/** What the API reference shows. */
export const REFUSAL_EXAMPLE = {
  id: 'ref_01kagt2m8xg3q9wz5r7e6b4c1d',
  code: 'no_seats_available' as const,
  user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
  hardware_id: 'hw_0123456789abcdef0123456789abcdef',
  count: 4,
  first_at: '2026-01-31T12:00:02.000Z',
  last_at: '2026-01-31T12:00:47.000Z',
  active_seats: 10,
  max_seats: 10,
};
