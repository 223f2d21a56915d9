/**
 * Words a mail of the auth service. The layout is the template that a hosted project uses too; its English sentences are
 * the texts of `locales/en/mail.json`, and each is replaced by the reader's language.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Mail } from '#app/contracts/ports.ts';
import { directionOf, FALLBACK_LANGUAGE, isLanguage } from '#app/domain/web/languages.ts';
import type { AuthMailFacts } from '#app/platform/embedded/auth-messages.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

const wordsSchema = z.object({
  subject: z.string(),
  heading: z.string(),
  intro: z.string(),
  action: z.string(),
  code: z.string(),
  ignore: z.string(),
});
const textsSchema = z.object({
  auth: z.object({ confirmation: wordsSchema, recovery: wordsSchema, email_change: wordsSchema, magic_link: wordsSchema }),
});
type Words = z.output<typeof wordsSchema>;

const TEMPLATES = {
  signup: 'confirmation',
  recovery: 'recovery',
  email_change: 'email_change',
  magiclink: 'magic_link',
  reauthentication: 'recovery',
} as const satisfies Record<AuthMailFacts['kind'], keyof z.output<typeof textsSchema>['auth']>;

/** @param origin public origin, where the link's page stands */
export function renderAuthMail(facts: AuthMailFacts, origin: string): Mail {
  const template = TEMPLATES[facts.kind];
  const language = isLanguage(facts.language) ? facts.language : FALLBACK_LANGUAGE;
  const english = wordsOf(FALLBACK_LANGUAGE)[template];
  const words = wordsOf(language)[template];
  const link = `${origin}/auth/confirm?token_hash=${encodeURIComponent(facts.tokenHash)}&type=${facts.kind}`;
  let html = readFileSync(join(projectRoot(), 'supabase', 'templates', `${template}.html`), 'utf8');
  for (const key of Object.keys(wordsSchema.shape) as (keyof Words)[])
    html = html.replaceAll(escapeHtml(english[key]), () => escapeHtml(words[key]));
  html = html
    .replace('<html lang="en" dir="ltr">', `<html lang="${language}" dir="${directionOf(language)}">`)
    .replaceAll('{{ .SiteURL }}', () => escapeHtml(origin))
    .replaceAll('{{ .TokenHash }}', () => encodeURIComponent(facts.tokenHash))
    .replaceAll('{{ .Token }}', () => escapeHtml(facts.code));
  const text = [words.heading, words.intro, `${words.action}: ${link}`, `${words.code} ${facts.code}`, words.ignore].join('\n\n');
  return { to: facts.to, subject: words.subject, text: `${text}\n`, html };
}

const known = new Map<string, z.output<typeof textsSchema>['auth']>();

function wordsOf(language: string): z.output<typeof textsSchema>['auth'] {
  let words = known.get(language);
  if (!words) {
    const file = (name: string) => join(projectRoot(), 'locales', name, 'mail.json');
    const path = existsSync(file(language)) ? file(language) : file(FALLBACK_LANGUAGE);
    const parsed = textsSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    words = parsed.success || language === FALLBACK_LANGUAGE ? textsSchema.parse(parsed.data).auth : wordsOf(FALLBACK_LANGUAGE);
    known.set(language, words);
  }
  return words;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
