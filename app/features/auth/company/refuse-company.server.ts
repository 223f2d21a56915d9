import { href, type RouterContextProvider, redirect } from 'react-router';
import { CompanySignInError } from '#app/contracts/company-sign-in.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { noteRefusal } from '#app/engine/commands/sign-in/note-refusal.ts';
import type { CompanyRefusal } from '#app/features/auth/company/company-failure.ts';

/**
 * Records the refusal, in the log of the workspace where a provider is known, and answers the page that says why.
 * @param page the address to say it at; left out: the page of sign-in by a provider
 */
export async function refuseCompany(
  context: Readonly<RouterContextProvider>,
  {
    provider,
    reason,
    error,
    page = href('/sign-in/company'),
  }: { provider: string | null; reason: CompanyRefusal; error?: unknown; page?: string },
): Promise<Response> {
  const services = context.get(servicesContext);
  services.log.warn('a sign-in by a provider was refused', { provider, reason, detail: detailOf(error) });
  if (provider !== null) await performAsNobody(noteRefusal, services, { provider, reason });
  return redirect(`${page}?failed=${reason}`, { status: 303 });
}

/** The failure that a provider's answer has; what is none of them is thrown on. */
export function failureOf(error: unknown): CompanyRefusal {
  if (error instanceof CompanySignInError) return error.failure;
  throw error;
}

/** The library's own words, which hold no value of a token. */
function detailOf(error: unknown): string | undefined {
  const cause = error instanceof CompanySignInError ? error.cause : undefined;
  return cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, 200) : undefined;
}
