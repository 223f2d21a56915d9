import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

export type CaughtMail = { to: string; subject: string; text: string; html: string };

/** What the stand-in is told at its start, as JSON in STAND_IN. */
export type SupabaseSettings = {
  directory: string;
  url: string;
  port: number;
  databasePort: number;
  databasePassword: string;
  siteUrl: string;
  jwtSecret: string;
  publishableKey: string;
};

export type FromSupabase =
  | { kind: 'ready'; owner: DatabaseLogin; auth: DatabaseLogin; superuser: DatabaseLogin }
  | { kind: 'mail'; mail: CaughtMail };
