import { type ApiError, httpError } from '../../http/index.ts';

/** The refusal of a slug that another project of the organization has. */
export function slugTaken(slug: string): ApiError {
  return httpError('already_exists', `Another project has the slug ${slug}.`, { details: { field: 'slug' } });
}
