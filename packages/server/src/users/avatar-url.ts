import { AVATAR_PATH } from '../http/index.ts';

/** Where a user's picture is: the address that they set, or else that of the silhouette which the service keeps. */
export function avatarUrlOf(baseUrl: string, avatarUrl: string | null): string {
  return avatarUrl ?? `${baseUrl}${AVATAR_PATH}`;
}
