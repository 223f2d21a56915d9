import type { ActionFunctionArgs } from 'react-router';
import { readAnswer } from '#app/features/auth/company/saml-answer.server.ts';
import { onwardPage } from '#app/features/auth/company/saml-onward.server.tsx';

/**
 * Where a SAML provider has the browser post its answer. The post comes from the provider's site, so without our cookies: nothing is decided
 * here, and nothing kept.
 */
export async function takeAnswer(args: ActionFunctionArgs): Promise<Response> {
  const read = await readAnswer(args);
  if (read instanceof Response) return read;
  const { workspace, answer, relay, inResponseTo } = read;
  return onwardPage(args.context, { workspace, answer, relay, asked: inResponseTo !== null });
}
