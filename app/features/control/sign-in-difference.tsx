import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { SamlSettings } from '#app/contracts/company-sign-in.ts';
import type { GroupRoles, SignInState } from '#app/domain/people/company-sign-in.ts';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

type Props = { change: LoadedControlChange };

/** Which provider counts, for whom and with which claims, before and after. */
export function SignInDifference({ change: { signIn, exempt, fingerprints } }: Props) {
  const { t } = useTranslation('control');
  const side = (state: SignInState | null) =>
    state === null ? null : <SignIn state={state} exempt={exempt} fingerprints={fingerprints} />;
  return (
    <DescriptionList
      items={[
        { term: t('difference.before'), description: side(signIn.before) },
        { term: t('difference.after'), description: side(signIn.after) },
      ]}
    />
  );
}

function SignIn({
  state: { provider, enforced, exempt },
  exempt: names,
  fingerprints,
}: {
  state: SignInState;
  exempt: Readonly<Record<string, string>>;
  fingerprints: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation(['control', 'members']);
  const formats = useFormats();
  if (provider === null) return t('difference.signInOff');
  const yes = (on: boolean) => t(on ? 'difference.yes' : 'difference.no');
  return (
    <DescriptionList
      narrow
      items={[
        {
          term: t('difference.provider'),
          description: (
            <>
              <bdi>{provider.name}</bdi> <code dir="ltr">{provider.issuer}</code>
            </>
          ),
        },
        { term: t('difference.clientId'), description: <code dir="ltr">{provider.clientId}</code> },
        ...(provider.secret === null ? [] : [{ term: t('difference.secret'), description: <Digest value={provider.secret} /> }]),
        ...samlItems(provider.saml, t, { yes, fingerprints }),
        {
          term: t('difference.claims'),
          description: <code dir="ltr">{[provider.emailClaim, provider.nameClaim, provider.groupsClaim].join(' · ')}</code>,
        },
        { term: t('difference.vouches'), description: yes(provider.emailsVerified) },
        { term: t('difference.defaultRoles'), description: formats.list(provider.defaultRoles.map((role) => t(`members:role.${role}`))) },
        { term: t('difference.enforced'), description: yes(enforced) },
        {
          term: t('difference.exempt'),
          description: exempt.length === 0 ? t('difference.nobody') : formats.list(exempt.map((id) => names[id] ?? t('gone'))),
        },
      ]}
    />
  );
}

/** Of SAML: where people are sent, whose signatures hold, and whether it may begin a sign-in. */
function samlItems(
  saml: SamlSettings | undefined,
  t: TFunction<['control', 'members']>,
  { yes, fingerprints }: { yes: (on: boolean) => string; fingerprints: Readonly<Record<string, string>> },
) {
  if (saml === undefined) return [];
  return [
    { term: t('difference.ssoUrl'), description: <code dir="ltr">{saml.ssoUrl}</code> },
    {
      term: t('difference.certificates'),
      description: (
        <ul className="grid gap-1">
          {saml.certificates.map((certificate) => (
            <li key={certificate}>
              <Digest value={fingerprints[certificate] ?? ''} />
            </li>
          ))}
        </ul>
      ),
    },
    { term: t('difference.nameId'), description: <code dir="ltr">{saml.nameId}</code> },
    { term: t('difference.idpInitiated'), description: yes(saml.idpInitiated) },
  ];
}

/** The roles that groups give, before and after. */
export function GroupsDifference({ change: { groups } }: Props) {
  const { t } = useTranslation('control');
  const side = (state: GroupRoles | null) => <GroupList groups={state ?? {}} />;
  return (
    <DescriptionList
      items={[
        { term: t('difference.before'), description: side(groups.before) },
        { term: t('difference.after'), description: side(groups.after) },
      ]}
    />
  );
}

function GroupList({ groups }: { groups: GroupRoles }) {
  const { t } = useTranslation(['control', 'members']);
  const formats = useFormats();
  const named = Object.entries(groups);
  if (named.length === 0) return t('difference.noGroups');
  return (
    <ul className="grid gap-1">
      {named.map(([name, roles]) => (
        <li key={name}>
          <bdi className="font-semibold">{name}</bdi> {formats.list(roles.map((role) => t(`members:role.${role}`)))}
        </li>
      ))}
    </ul>
  );
}
