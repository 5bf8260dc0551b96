/** What the API reference shows. */
export const LICENSE_EXAMPLE = {
  id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
  key: 'A1B2C-3D4E5-F6G7H-8J9K4',
  product: 'studio',
  max_seats: 10,
  active_seats: 1,
  status: 'active',
  expires_at: '2026-12-31T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
};

export const FEATURES_EXAMPLE = {
  ai_assistance: true,
  cloud_workstations: true,
  team_collaboration: true,
  priority_support: false,
};

const USER_EXAMPLE = {
  id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
};

export const SESSION_EXAMPLE = {
  id: 'sess_01kagt2m8xf3q9wz5r7e6b4c1d',
  user_id: USER_EXAMPLE.id,
  hardware_id: 'hw_0123456789abcdef0123456789abcdef',
  started_at: '2026-01-31T09:00:00.000Z',
  last_heartbeat: '2026-01-31T11:59:00.000Z',
  user: USER_EXAMPLE,
  hostname: 'workstation-7',
  client_version: '4.2.0',
  offline_until: null,
};
