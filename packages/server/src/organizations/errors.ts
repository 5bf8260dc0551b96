import { type ApiError, httpError } from '../http/index.ts';

/** The refusal for a slug that another organization has. */
export function slugTaken(slug: string): ApiError {
  return httpError('already_exists', `The slug ${slug} is already taken by another organization.`, {
    details: { field: 'slug' },
  });
}

/** The refusal for a change that would leave an organization without an admin. */
export function lastAdmin(): ApiError {
  return httpError('conflict', 'The organization needs at least one admin. Make another member an admin first.');
}
