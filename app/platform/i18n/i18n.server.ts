import { createInstance, type InitOptions, type i18n, type TFunction } from 'i18next';
import { LRUCache } from 'lru-cache';
import { type MiddlewareFunction, RouterContextProvider } from 'react-router';
import { createI18nextMiddleware } from 'remix-i18next';
import { readConsent } from '#app/domain/people/consent.ts';
import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language, languageOfTag } from '#app/domain/web/languages.ts';
import { isProgramPath } from '#app/domain/web/problem.ts';
import { interpolation, numberFormatter } from '#app/platform/i18n/interpolation.server.ts';
import { NAMESPACES, type Namespace } from '#app/platform/i18n/namespaces.ts';
import { languageCookie, readCookie } from '#app/platform/i18n/preference-cookies.server.ts';
import { texts } from '#app/platform/i18n/texts.server.ts';

const options: InitOptions = {
  resources: texts,
  supportedLngs: [...LANGUAGES],
  fallbackLng: FALLBACK_LANGUAGE,
  ns: [...NAMESPACES],
  defaultNS: 'common',
  initAsync: false,
  interpolation,
};

const [detectLanguage, languageOf, instanceOf] = createI18nextMiddleware({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: FALLBACK_LANGUAGE,
    order: ['searchParams', 'custom', 'header'],
    // The library knows no second code of a language: `iw` is read here.
    findLocale: async ({ request }) => {
      const named = languageOfTag(new URL(request.url).searchParams.get('lng')) ?? languageOfTag(readCookie(request, 'lng'));
      const header = request.headers.get('Accept-Language') ?? '';
      const readable = header.replaceAll(/\biw\b/gi, 'he');
      return named ?? (readable === header ? null : detectLanguageOf(null, readable));
    },
  },
  i18next: options,
  plugins: [numberFormatter],
});

const MAX_DETECTED = 500;
const detected = new LRUCache<string, Language>({ max: MAX_DETECTED });

/** The language that the middleware itself finds for this cookie `lng` and this Accept-Language, asked once for each pair. */
export async function detectLanguageOf(cookie: string | null, header: string): Promise<Language> {
  const both = `${cookie} ${header}`;
  const known = detected.get(both);
  if (known !== undefined) return known;
  const headers = { 'Accept-Language': header, ...(cookie === null ? {} : { Cookie: `lng=${encodeURIComponent(cookie)}` }) };
  const url = new URL('http://localhost/');
  const context = new RouterContextProvider();
  const request = new Request(url, { headers });
  await detectLanguage({ request, url, context, params: {}, pattern: '/' }, async () => new Response());
  const language = getLanguage(context);
  detected.set(both, language);
  return language;
}

/** `?lng` is a choice, and a choice is kept. */
const keepChosenLanguage: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const chosen = languageOfTag(new URL(request.url).searchParams.get('lng'));
  const { gdpr } = readConsent(readCookie(request, 'consent'), null);
  if (chosen !== null && readCookie(request, 'lng') !== chosen)
    response.headers.append('Set-Cookie', languageCookie(chosen, gdpr ? 'visit' : 'year'));
  return response;
};

/** Programs are answered in English: looking for the language of each of their calls cost as much as asking who calls. */
const forPeople =
  (middleware: MiddlewareFunction<Response>): MiddlewareFunction<Response> =>
  (args, next) =>
    isProgramPath(args.url.pathname) ? next() : middleware(args, next);

/** Finds the reader's language: `?lng`, then the cookie `lng`, then Accept-Language, then English. English where programs call. */
export const languageMiddleware: MiddlewareFunction<Response>[] = [detectLanguage, keepChosenLanguage].map(forPeople);

/** The language of this request: English where no middleware looked for it (a program's call, an address the router does not know). */
export function getLanguage(context: Readonly<RouterContextProvider>): Language {
  try {
    const language = languageOf(context);
    return isLanguage(language) ? language : FALLBACK_LANGUAGE;
  } catch {
    return FALLBACK_LANGUAGE;
  }
}

let shared: i18n | undefined;
function sharedInstance(): i18n {
  if (!shared) {
    shared = createInstance(options).use(numberFormatter);
    void shared.init({ lng: FALLBACK_LANGUAGE });
  }
  return shared;
}

/** The request's i18next instance; English where no middleware ran. */
export function getI18n(context: Readonly<RouterContextProvider>): i18n {
  try {
    return instanceOf(context);
  } catch {
    return sharedInstance();
  }
}

/** Texts of one namespace in the reader's language, for loaders and actions. */
export function getTranslator<Ns extends Namespace>(context: Readonly<RouterContextProvider>, namespace: Ns): TFunction<Ns> {
  return getI18n(context).getFixedT(getLanguage(context), namespace) as TFunction<Ns>;
}

/** Texts of one namespace in a given language, without a request: mails, jobs. */
export function translatorFor<Ns extends Namespace>(language: Language, namespace: Ns): TFunction<Ns> {
  return sharedInstance().getFixedT(language, namespace) as TFunction<Ns>;
}
