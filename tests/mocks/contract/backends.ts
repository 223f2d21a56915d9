/** The two backends that the contract holds side by side: the handlers of MSW, and the embedded auth service. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { Mail } from '#app/contracts/ports.ts';
import type { AuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { fetchMocked, MOCK_DEFAULTS } from '#tests/mocks/handlers.ts';
import { createMemoryStore } from '#tests/mocks/memory-store.ts';
import { MockBackend } from '#tests/mocks/mock-backend.ts';

export type SentMail = { type: string; tokenHash: string; code: string };
export type ContractBackend = {
  url: string;
  key: string;
  fetch: typeof fetch;
  /** supabase-js's own client, as a stranger would make it. */
  client(options?: { flow?: 'pkce' | 'implicit'; token?: string }): SupabaseClient;
  /** The newest mail to an address. */
  mailTo(email: string): SentMail | null;
  countMails(email: string): number;
  newEmail(): string;
};

let people = 0;

function backendOf(parts: Omit<ContractBackend, 'client' | 'newEmail'>): ContractBackend {
  return {
    ...parts,
    newEmail: () => `stranger-${++people}@example.com`,
    client: ({ flow = 'implicit', token } = {}) => {
      const kept = new Map<string, string>();
      return createClient(parts.url, parts.key, {
        global: { fetch: parts.fetch, ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }) },
        auth: {
          flowType: flow,
          autoRefreshToken: false,
          detectSessionInUrl: false,
          persistSession: true,
          storage: {
            getItem: (name) => kept.get(name) ?? null,
            setItem: (name, value) => void kept.set(name, value),
            removeItem: (name) => void kept.delete(name),
          },
        },
      });
    },
  };
}

export function mockedBackend(): { backend: ContractBackend; mock: MockBackend } {
  const now = () => new Date();
  const mock = new MockBackend(MOCK_DEFAULTS, createMemoryStore(now), now);
  const backend = backendOf({
    url: MOCK_DEFAULTS.url,
    key: MOCK_DEFAULTS.publishableKey,
    fetch: fetchMocked(mock),
    mailTo: (email) => {
      const mail = mock.mails.findLast(({ to }) => to === email);
      return mail === undefined ? null : { type: mail.kind, tokenHash: mail.tokenHash, code: mail.code };
    },
    countMails: (email) => mock.mails.filter(({ to }) => to === email).length,
  });
  return { backend, mock };
}

export function embeddedBackend(auth: AuthBackend & { mails: Mail[] }): ContractBackend {
  return backendOf({
    url: auth.url,
    key: auth.anonKey,
    fetch: auth.fetch,
    mailTo: (email) => {
      const text = auth.mails.findLast((mail) => mail.to === email)?.text;
      if (text === undefined) return null;
      const link = new URL(/http\S+\/auth\/confirm\?\S+/.exec(text)?.[0] ?? 'http://none.invalid');
      return {
        type: link.searchParams.get('type') ?? '',
        tokenHash: link.searchParams.get('token_hash') ?? '',
        code: /\b\d{6}\b/.exec(text)?.[0] ?? '',
      };
    },
    countMails: (email) => auth.mails.filter(({ to }) => to === email).length,
  });
}
