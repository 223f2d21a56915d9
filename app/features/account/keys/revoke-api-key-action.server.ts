import { type ActionFunctionArgs, href } from 'react-router';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { revokeApiKey } from '#app/engine/commands/account/revoke-api-key.ts';
import { performAsMember } from '#app/perform.server.ts';

/** The button that ends a key. */
export async function revokeApiKeyAction({ params, context }: ActionFunctionArgs) {
  await performAsMember(context, revokeApiKey, { key: params.key ?? '' });
  return redirectWithNotice(href('/dashboard/account/api-keys'), 'apiKeyRevoked');
}
