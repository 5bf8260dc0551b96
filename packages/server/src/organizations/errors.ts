import { type ApiError, httpError } from '../http/index.ts';

/** The refusal of a slug that another organization has. */
export function slugTaken(slug: string): ApiError {
  return httpError('already_exists', `Another organization has the slug ${slug}.`, { details: { field: 'slug' } });
}

/** The refusal of whatever would leave an organization without an admin. */
export function lastAdmin(): ApiError {
  return httpError('conflict', 'The organization needs an admin: make another member one first.');
}
