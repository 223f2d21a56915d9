import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import type { Operator } from '#app/contracts/people.ts';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

const DOCUMENTS = {
  imprint: ['product', 'content'],
  privacy: ['visit', 'account', 'letters', 'log', 'processors', 'rights'],
  terms: ['service', 'account', 'conduct', 'content', 'plans', 'liability', 'end'],
  cookies: ['none', 'choice'],
} as const;
export type LegalDocument = keyof typeof DOCUMENTS;

const KEPT = [
  'session',
  'lng',
  'theme',
  'density',
  'accessibility',
  'timezone',
  'appearanceOf',
  'consent',
  'workspace',
  'sidebar',
  'notice',
  'signIn',
  'passkey',
  'client',
  'recovery',
  'mailbox',
  'storage',
] as const;
/** Names of the cookies of each row, as browsers list them. */
export const KEPT_NAMES: Record<(typeof KEPT)[number], string> = {
  session: 'sb-…',
  lng: 'lng',
  theme: 'theme',
  density: 'density',
  accessibility: 'accessibility',
  timezone: 'timezone, tz',
  appearanceOf: 'appearance_of',
  consent: 'consent',
  workspace: 'workspace',
  sidebar: 'sidebar_state',
  notice: 'notice',
  signIn: 'auth_next, auth_email, auth_mail',
  passkey: 'passkey_browser',
  client: 'oauth_request, oauth_resume, oauth_session',
  recovery: 'sb-recovery',
  mailbox: 'mailbox',
  storage: 'accessibility-settings, i18nextLng',
};

/** One legal page. What concerns the operator comes from the settings, or the page says that it is theirs to fill in. */
export function LegalPage({ document, operator }: { document: LegalDocument; operator: Operator | null }) {
  const { t } = useTranslation('legal');
  const sections: readonly string[] = DOCUMENTS[document];
  const text = useDocument(document);
  return (
    <PublicFrame title={text('title')} description={text('lead')}>
      <div className="mx-auto max-w-page px-4 pb-24 sm:px-8">
        <PublicHeading title={text('title')} lead={text('lead')} />
        <div className="grid max-w-3xl grid-cols-1 gap-10">
          {document === 'cookies' ? <CookieTable /> : <OperatorBlock operator={operator} />}
          {sections.map((section) => (
            <Part key={section} title={text(`${section}.title`)}>
              {text(`${section}.text`)}
            </Part>
          ))}
          <nav aria-label={t('others')}>
            <ul className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-6 text-sm">
              {(Object.keys(DOCUMENTS) as LegalDocument[])
                .filter((other) => other !== document)
                .map((other) => (
                  <li key={other}>
                    <Link to={href(`/legal/${other}`)} className="text-link inline-block py-1">
                      {t(`${other}.title`)}
                    </Link>
                  </li>
                ))}
            </ul>
          </nav>
        </div>
      </div>
    </PublicFrame>
  );
}

/** The texts of one document, as DOCUMENTS lists it. */
function useDocument(document: LegalDocument): (key: string) => string {
  const { t } = useTranslation('legal');
  switch (document) {
    case 'imprint':
      return (key) => t(`imprint.${key}` as 'imprint.title');
    case 'privacy':
      return (key) => t(`privacy.${key}` as 'privacy.title');
    case 'terms':
      return (key) => t(`terms.${key}` as 'terms.title');
    case 'cookies':
      return (key) => t(`cookies.${key}` as 'cookies.title');
  }
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-2 max-w-measure">{children}</p>
    </section>
  );
}

function OperatorBlock({ operator }: { operator: Operator | null }) {
  const { t } = useTranslation('legal');
  return (
    <section>
      <h2 className="mb-3 text-xl font-semibold">{t('operator.title')}</h2>
      {operator === null ? (
        <p className="max-w-measure rounded-md border border-dashed border-edge p-4">{t('operator.unnamed')}</p>
      ) : (
        <DescriptionList
          items={[
            { term: t('operator.name'), description: <bdi>{operator.name}</bdi> },
            {
              term: t('operator.address'),
              description: operator.address === null ? t('operator.notGiven') : <bdi>{operator.address}</bdi>,
            },
            {
              term: t('operator.email'),
              description:
                operator.email === null ? (
                  t('operator.notGiven')
                ) : (
                  <a className="text-link" href={`mailto:${operator.email}`}>
                    <bdi dir="ltr">{operator.email}</bdi>
                  </a>
                ),
            },
          ]}
        />
      )}
      <p className="mt-4">
        <Link className="text-link inline-block py-1" to={`${href('/contact')}?topic=privacy`}>
          {t('operator.write')}
        </Link>
      </p>
    </section>
  );
}

function CookieTable() {
  const { t } = useTranslation('legal');
  return (
    <section>
      <h2 className="mb-3 text-xl font-semibold">{t('cookies.table')}</h2>
      <PlainTable
        label={t('cookies.table')}
        columns={[t('cookies.name'), t('cookies.purpose'), t('cookies.kept')]}
        rows={KEPT.map((key) => ({
          key,
          cells: [
            <code key={key} dir="ltr" className="text-xs">
              {KEPT_NAMES[key]}
            </code>,
            t(`cookies.each.${key}.purpose`),
            t(`cookies.each.${key}.kept`),
          ],
        }))}
      />
    </section>
  );
}
