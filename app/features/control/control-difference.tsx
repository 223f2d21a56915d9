import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { TextDifference } from '#app/components/value/text-difference.tsx';
import { ROLES } from '#app/contracts/people.ts';
import { ExportDifference } from '#app/features/control/export-difference.tsx';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';
import { ProofDifference } from '#app/features/control/proof-difference.tsx';
import { CredentialDifference, ReachDifference } from '#app/features/control/reach-difference.tsx';
import { SessionsDifference } from '#app/features/control/sessions-difference.tsx';
import { GroupsDifference, SignInDifference } from '#app/features/control/sign-in-difference.tsx';

/** `version`: the difference of a version place by place, and as a picture. */
type Props = { change: LoadedControlChange; version: ReactNode };

/** The difference between before and after: a text line by line, a member's roles gained and lost, settings on and off. */
export function ControlDifference({ change, version }: Props) {
  const { t } = useTranslation('control');
  if (change.leaving !== null) return <ExportDifference leaving={change.leaving} />;
  if (change.difference !== null) return <ForceDifference change={change} difference={change.difference} version={version} />;
  if (change.kind === 'connection_approve') return <Tools change={change} />;
  if (change.kind === 'inventory_risk') return <RiskDifference change={change} />;
  if (change.kind === 'connection_permits') return <Permits change={change} />;
  if (change.proof !== null) return <ProofDifference lines={change.proof} />;
  if (change.kind === 'connection_credential') return <CredentialDifference change={change} />;
  if (change.kind === 'workspace_sign_in') return <SignInDifference change={change} />;
  if (change.kind === 'workspace_sessions') return <SessionsDifference change={change} />;
  if (change.kind === 'workspace_groups') return <GroupsDifference change={change} />;
  if (change.network.before !== null || change.checkpoints.before !== null) return <ReachDifference change={change} />;
  if (change.settings.before !== null) return <Settings change={change} />;
  return (
    <DescriptionList
      items={[
        { term: t('difference.member'), description: <bdi>{change.name || t('gone')}</bdi> },
        { term: t('difference.roles'), description: <Roles change={change} /> },
        ...(change.kind === 'member_remove' ? [{ term: t('difference.after'), description: t('difference.removed') }] : []),
      ]}
    />
  );
}

/** Each tool that would be approved, and how its definition differs from the one that was approved before. */
function Tools({ change: { tools, name, status } }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  return (
    <div className="grid gap-5">
      <DescriptionList items={[{ term: t('difference.connection'), description: <bdi>{name || t('gone')}</bdi> }]} />
      {tools.map((tool) => (
        <section key={tool.id} className="grid gap-2">
          <h3 className="font-semibold">
            <code dir="ltr">{tool.name}</code>
          </h3>
          <p className="max-w-measure" dir="auto">
            {tool.description}
          </p>
          <p className="text-muted">{t(`difference.effect.${tool.effect}`)}</p>
          <p className="text-sm text-muted">
            {t('difference.fingerprint')} <Digest value={tool.fingerprint} />
          </p>
          {tool.text === null ? (
            status === 'pending' ? (
              <Notice kind="attention" title={t('difference.toolChanged')} />
            ) : null
          ) : (
            <TextDifference
              lines={tool.text}
              label={t('difference.definitionOf', { name: tool.name })}
              words={{ added: t('difference.added'), removed: t('difference.taken') }}
            />
          )}
        </section>
      ))}
    </div>
  );
}

/** The permits of a connection, before and after. */
function Permits({ change }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  const { permits, name } = change;
  const side = (state: LoadedControlChange['permits']['before']) => (
    <>
      <span className="block">{t(state?.personalData ? 'difference.personalDataOn' : 'difference.personalDataOff')}</span>
      <span className="block">{t(state?.repeats ? 'difference.repeatsOn' : 'difference.repeatsOff')}</span>
    </>
  );
  return (
    <DescriptionList
      items={[
        { term: t('difference.connection'), description: <bdi>{name || t('gone')}</bdi> },
        { term: t(change.glass === null ? 'difference.before' : 'glass.before'), description: side(permits.before) },
        { term: t(change.glass === null ? 'difference.after' : 'glass.during'), description: side(permits.after) },
      ]}
    />
  );
}

/** The risk class of an agent on both sides. */
function RiskDifference({ change: { riskClass, name } }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  return (
    <DescriptionList
      items={[
        { term: t('difference.agent'), description: <bdi>{name || t('gone')}</bdi> },
        { term: t('difference.before'), description: t(`risk.${riskClass.before ?? 'none'}`) },
        { term: t('difference.after'), description: t(`risk.${riskClass.after ?? 'none'}`) },
      ]}
    />
  );
}

/** The settings of the workspace on both sides. */
function Settings({ change: { settings } }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  const side = (state: LoadedControlChange['settings']['before']) =>
    state?.reviewsEffects === false ? t('difference.reviewsOff') : t('difference.reviewsOn');
  return (
    <DescriptionList
      items={[
        { term: t('difference.before'), description: side(settings.before) },
        { term: t('difference.after'), description: side(settings.after) },
      ]}
    />
  );
}

/** Every role of before and after, with a word for what becomes of it. */
function Roles({ change: { roles } }: { change: LoadedControlChange }) {
  const { t } = useTranslation(['control', 'members']);
  const named = ROLES.filter((role) => roles.before.includes(role) || roles.after.includes(role));
  return (
    <ul className="grid gap-1">
      {named.map((role) => {
        const [had, has] = [roles.before.includes(role), roles.after.includes(role)];
        return (
          <li key={role} className="flex flex-wrap items-center gap-2">
            <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{t(`members:role.${role}`)}</Badge>
            <span className={had === has ? 'text-muted' : has ? 'text-ok-ink' : 'text-danger-ink'}>
              {had === has ? t('difference.stays') : has ? t('difference.gained') : t('difference.lost')}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Addresses of what is put into force, and of its versions. */
const PATHS = {
  policy: {
    page: (id: string) => href('/dashboard/policies/:policy', { policy: id }),
    version: (id: string, number: string) => href('/dashboard/policies/:policy/versions/:number', { policy: id, number }),
  },
  workflow: {
    page: (id: string) => href('/dashboard/workflows/:workflow', { workflow: id }),
    version: (id: string, number: string) => href('/dashboard/workflows/:workflow/versions/:number', { workflow: id, number }),
  },
  agent: {
    page: (id: string) => href('/dashboard/agents/authored/:agent', { agent: id }),
    version: (id: string, number: string) => href('/dashboard/agents/authored/:agent/versions/:number', { agent: id, number }),
  },
} as const;

type Difference = NonNullable<LoadedControlChange['difference']>;

function ForceDifference({ change, difference, version }: Props & { difference: Difference }) {
  const { t } = useTranslation('control');
  const paths = PATHS[difference.kind];
  const side = ({ status, number }: Difference['before']) => (
    <span className="flex flex-wrap gap-x-4">
      <StatusWord status={status} />
      {number === null ? (
        <span>{t('difference.noVersion')}</span>
      ) : (
        <Link className="text-link" to={paths.version(change.resource, String(number))}>
          {t('difference.version', { number: String(number) })}
        </Link>
      )}
    </span>
  );
  return (
    <div className="grid gap-5">
      <DescriptionList
        items={[
          {
            term: t(`difference.${difference.kind}`),
            description: (
              <Link className="text-link" to={paths.page(change.resource)}>
                <bdi>{change.name || t('gone')}</bdi>
              </Link>
            ),
          },
          { term: t(change.glass === null ? 'difference.before' : 'glass.before'), description: side(difference.before) },
          { term: t(change.glass === null ? 'difference.after' : 'glass.during'), description: side(difference.after) },
        ]}
      />
      {version}
      <TextOf difference={difference} />
    </div>
  );
}

/** The text of a version is long, and said in words above it; that of a policy is all that there is. */
function TextOf({ difference: { kind, text } }: { difference: Difference }) {
  const { t } = useTranslation('control');
  if (!text.some((line) => line.change !== 'same')) return <p className="text-muted">{t('difference.sameText')}</p>;
  const lines = (
    <TextDifference lines={text} label={t('difference.text')} words={{ added: t('difference.added'), removed: t('difference.taken') }} />
  );
  if (kind === 'policy') return lines;
  return (
    <details>
      <summary className="text-link inline-block text-sm">{t('difference.text')}</summary>
      <div className="mt-3">{lines}</div>
    </details>
  );
}
