/** An organization, for the API reference. */
export const ORGANIZATION_EXAMPLE = {
  id: 'org_01kagt2m8xf3q9wz5r7e6b4c1j',
  name: 'Analytical Engines',
  slug: 'analytical-engines',
  role: 'admin',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
  member_count: 1,
  billing_details: {
    legal_name: 'Analytical Engines Ltd',
    address: '12 St James Square\nLondon',
    tax_id: 'GB123456789',
    email: 'accounts@example.com',
  },
} as const;
