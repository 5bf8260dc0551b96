import { AVATAR_PATH } from '../http/index.ts';

/** The URL of a user's picture: their own, or otherwise the service's default silhouette. */
export function avatarUrlOf(baseUrl: string, avatarUrl: string | null): string {
  return avatarUrl ?? `${baseUrl}${AVATAR_PATH}`;
}
