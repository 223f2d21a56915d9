import { useMemo } from 'react';
import { href, useRevalidator } from 'react-router';

/** Null when the call was done, else why not, in the reader's language. */
export type AuthCallAnswer = { error: { message: string } | null };

/** The calls as functions for components. What they change shows everywhere: the page's data is loaded again. */
export function useAuthCalls() {
  const { revalidate } = useRevalidator();
  return useMemo(() => {
    const call = async (name: string, fields: Record<string, string>): Promise<AuthCallAnswer> => {
      const response = await fetch(href('/auth/calls'), { method: 'POST', body: new URLSearchParams({ ...fields, call: name }) });
      if (!(response.headers.get('Content-Type') ?? '').startsWith('application/json'))
        throw new Error(`the call answered ${response.status}`);
      const answer: AuthCallAnswer = await response.json();
      if (answer.error === null) await revalidate();
      return answer;
    };
    return {
      signIn: (email: string, password: string) => call('signIn', { email, password }),
      signUp: (email: string, password: string) => call('signUp', { email, password }),
      resetPassword: (email: string) => call('resetPassword', { email }),
      updateProfile: (changes: { name: string }) => call('updateProfile', changes),
      async signOut() {
        const { error } = await call('signOut', {});
        if (error !== null) throw new Error(error.message);
      },
    };
  }, [revalidate]);
}
