import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { href, useNavigate, useNavigation, useRevalidator } from 'react-router';
import { type AuthCallAnswer, useAuthCalls } from '#app/features/auth/browser/auth-calls.ts';
import { type AuthEvent, deriveAuthEvents } from '#app/features/auth/browser/auth-events.ts';
import type { SessionView } from '#app/features/auth/session/load-session.server.ts';

type AuthListener = (event: AuthEvent) => void;

export type EnhancedAuth = {
  user: { id: string; email: string } | null;
  profile: { role: string; name: string | null } | null;
  /** True while the page that will report it is still loading. */
  loading: boolean;
  /** Signing in, signing up, resets and the profile return a failure; a failed sign-out is thrown, so that nobody believes they are out. */
  signIn(email: string, password: string): Promise<AuthCallAnswer>;
  signUp(email: string, password: string): Promise<AuthCallAnswer>;
  signOut(): Promise<void>;
  resetPassword(email: string): Promise<AuthCallAnswer>;
  updateProfile(changes: { name: string }): Promise<AuthCallAnswer>;
  /** Calls the listener with each event from now on; answers how to stop. */
  onAuthEvent(listener: AuthListener): () => void;
};

const EnhancedAuthContext = createContext<EnhancedAuth | null>(null);

/** Who is signed in, for any component. Throws outside the provider. */
export function useEnhancedAuth(): EnhancedAuth {
  const auth = useContext(EnhancedAuthContext);
  if (auth === null) throw new Error('useEnhancedAuth must be used within an EnhancedAuthProvider');
  return auth;
}

/** An open tab asks every 30 s and renews a session with 90 s or less left. */
const TICK_MS = 30_000;
const REFRESH_BEFORE_MS = 90_000;
const CHANNEL = 'quorate-auth';

/**
 * Hands on what the root loader says of the session. Each tab tells the others whose session it has, and who knows another asks again; an
 * open tab asks in time for a new token. No token ever comes here.
 */
export function EnhancedAuthProvider({ session, children }: { session: SessionView; children: ReactNode }) {
  const navigation = useNavigation();
  const listeners = useRef(new Set<AuthListener>());
  const calls = useAuthCalls();
  useAuthEvents(session, listeners.current);
  useTimelyRefresh(session.expiresAt);
  useFragmentErrors();
  const loading = navigation.state !== 'idle' && navigation.formMethod !== undefined;
  const value = useMemo<EnhancedAuth>(
    () => ({
      user: session.user,
      profile: session.profile,
      loading,
      ...calls,
      onAuthEvent(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [session.user, session.profile, loading, calls],
  );
  return <EnhancedAuthContext value={value}>{children}</EnhancedAuthContext>;
}

function useAuthEvents(session: SessionView, listeners: Set<AuthListener>) {
  const before = useRef<SessionView | null>(null);
  const channel = useRef<BroadcastChannel | null>(null);
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const open = new BroadcastChannel(CHANNEL);
    channel.current = open;
    open.onmessage = ({ data }) => {
      if (data !== userOf(before.current)) void revalidate();
    };
    return () => open.close();
  }, [revalidate]);
  useEffect(() => {
    const known = before.current;
    before.current = session;
    for (const event of deriveAuthEvents(known, session)) {
      for (const listener of listeners) listener(event);
    }
    // A new page says it too: its form may have been sent before its scripts came, and then this is the first that they know.
    if (known === null || userOf(known) !== userOf(session)) channel.current?.postMessage(userOf(session));
  }, [session, listeners]);
}

function userOf(session: SessionView | null): string | null {
  return session?.user?.id ?? null;
}

/** Any request refreshes a token that is about to end, so asking again is enough. */
function useTimelyRefresh(expiresAt: number | null) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (expiresAt === null) return;
    const tick = setInterval(() => {
      if (expiresAt * 1000 - Date.now() <= REFRESH_BEFORE_MS) void revalidate();
    }, TICK_MS);
    return () => clearInterval(tick);
  }, [expiresAt, revalidate]);
}

/** The hosted service's default link puts its refusal behind the hash, where only scripts can read it. */
function useFragmentErrors() {
  const navigate = useNavigate();
  useEffect(() => {
    const fragment = new URLSearchParams(window.location.hash.slice(1));
    const code = fragment.get('error_code') ?? fragment.get('error');
    if (code === null) return;
    const reset = href('/reset-password');
    const target = window.location.pathname === reset ? reset : href('/auth/confirm');
    void navigate(`${target}?error_code=${encodeURIComponent(code)}`, { replace: true });
  }, [navigate]);
}
