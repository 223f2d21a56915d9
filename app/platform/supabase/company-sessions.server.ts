import { createClient } from '@supabase/supabase-js';
import type { CompanySessions } from '#app/contracts/company-sign-in.ts';

/** Administrative calls of a hosted project, by its secret key. */
export function createHostedSessions(options: {
  url: string;
  secretKey: string;
  fetch: typeof fetch;
}): Exclude<CompanySessions, 'database' | null> {
  const { admin } = createClient(options.url, options.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: options.fetch },
  }).auth;
  return {
    async makeAccount({ email, name }) {
      const { data, error } = await admin.createUser({ email, email_confirm: true, user_metadata: { name } });
      if (error?.code === 'email_exists') return null;
      if (error !== null) throw error;
      return data.user.id;
    },
    async issueHash(email) {
      const { data, error } = await admin.generateLink({ type: 'magiclink', email });
      if (error !== null) throw error;
      return data.properties.hashed_token;
    },
  };
}
