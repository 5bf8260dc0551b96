import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedUser } from '../passwords/counted-account.ts';
import { type AccountDeletionTools, deleteAccount } from './delete-account.ts';
import { AccountDeletion } from './schemas.ts';

/** The endpoint for users to delete their own accounts. */
export function accountDeletionRoutes(tools: AccountDeletionTools): Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/v1/me',
      operationId: 'deleteMe',
      tag: 'Authentication',
      summary: 'Delete your account',
      description:
        'This cannot be undone. All your tokens are revoked immediately, and your email address can register again. You leave all your organizations; any organization with no other members is deleted. If you are the last admin of an organization with other members or a live subscription, you get `conflict`. An incorrect password or code counts as a failed login. The rest of your personal data is erased within 24 hours. Invoices are kept, as required by law.',
      access: ACCESS.writeProfile,
      opensTransaction: true,
      countedAccount: countedUser,
      body: AccountDeletion,
      status: 204,
      errors: {
        forbidden: HTTP_ERRORS.forbidden,
        conflict: HTTP_ERRORS.conflict,
        invalid_credentials: AUTH_ERRORS.invalid_credentials,
      },
      example: { body: { password: 'an engine that weaves patterns' } },
      handle: (context, { body }) => deleteAccount(context, tools, body),
    }),
  ];
}
