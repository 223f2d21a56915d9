/** The messages between the main thread and the auth thread. Bodies are small and buffered: forms and JSON. */
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

export type AuthThreadSettings = {
  login: DatabaseLogin;
  siteUrl: string;
  jwtSecret: string;
  publishableKey: string;
  minimumPasswordLength: number;
};

export type AuthRequest = {
  type: 'request';
  id: number;
  url: string;
  method: string;
  headers: [string, string][];
  body: Uint8Array | null;
};
export type ToAuthThread = { type: 'begin'; settings: AuthThreadSettings } | AuthRequest | { type: 'stop' };

/** A mail's facts; the main thread words it. `code` is the six digits, `tokenHash` stands for it in a link. */
export type AuthMailFacts = {
  kind: 'signup' | 'recovery' | 'email_change' | 'magiclink' | 'reauthentication';
  to: string;
  tokenHash: string;
  code: string;
  language: string;
};

export type FromAuthThread =
  | { type: 'ready' }
  | { type: 'response'; id: number; status: number; headers: [string, string][]; body: Uint8Array }
  | { type: 'failed'; id: number; reason: string }
  | { type: 'mail'; mail: AuthMailFacts }
  | { type: 'log'; level: 'warn' | 'error'; message: string };
