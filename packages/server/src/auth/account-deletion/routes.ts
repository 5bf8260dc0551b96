import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { AUTH_ERRORS } from '../errors.ts';
import { countedUser } from '../login-sessions/counted-account.ts';
import { type AccountDeletionTools, deleteAccount } from './delete-account.ts';
import { AccountDeletion } from './schemas.ts';

/** The endpoint at which users delete their own accounts. */
export function accountDeletionRoutes(tools: AccountDeletionTools): Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/v1/me',
      operationId: 'deleteMe',
      tag: 'Authentication',
      summary: 'Delete the own account',
      description:
        'For good. All tokens end at once, and the e-mail address can register again. You leave all your organizations; one in which nobody else is, is deleted with you. The last admin of an organization that has other members or a live subscription gets `conflict`. A wrong password or code counts like a failed login. Personal data that is not gone at once is erased within 24 hours; invoices stay, as the law demands.',
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
