import { type ApiError, httpError } from '../../http/index.ts';

/** The refusal for a slug that another project of the organization has. */
export function slugTaken(slug: string): ApiError {
  return httpError('already_exists', `The slug ${slug} is already used by another project.`, {
    details: { field: 'slug' },
  });
}
