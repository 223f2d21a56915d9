/**
 * A visitor's decision about their data (cookie `consent`), which the server honours. `gdpr`: keep only what this visit needs, so choices
 * are forgotten with it and the time zone is not noted. `ccpa`: do not sell or share; noted with whatever the person sends us.
 */
export type Consent = {
  gdpr: boolean;
  ccpa: boolean;
  /** The browser asks for it with every request (Global Privacy Control), which cannot be outvoted here. */
  signal: boolean;
  /** True when the person has saved a choice. */
  chosen: boolean;
};

/** From the value of the cookie `consent` and of the header `Sec-GPC`. What cannot be read counts as no choice. */
export function readConsent(cookie: string | null, privacyControl: string | null): Consent {
  const signal = privacyControl?.trim() === '1';
  const choice = /^gdpr=(on|off) ccpa=(on|off)$/.exec(cookie ?? '');
  return { gdpr: choice?.[1] === 'on', ccpa: signal || choice?.[2] === 'on', signal, chosen: choice !== null };
}

/** The value of the cookie for a choice. */
export function consentValue({ gdpr, ccpa }: Pick<Consent, 'gdpr' | 'ccpa'>): string {
  return `gdpr=${gdpr ? 'on' : 'off'} ccpa=${ccpa ? 'on' : 'off'}`;
}
