import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { TextDifference } from '#app/components/value/text-difference.tsx';
import { ROLES } from '#app/contracts/people.ts';
import type { LoadedControlChange } from '#app/features/control/load-control-change.server.ts';

/** The difference between before and after: a policy's text line by line, a member's roles gained and lost. */
export function ControlDifference({ change }: { change: LoadedControlChange }) {
  const { t } = useTranslation('control');
  if (change.policy !== null) return <PolicyDifference change={change} policy={change.policy} />;
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

function PolicyDifference({ change, policy }: { change: LoadedControlChange; policy: NonNullable<LoadedControlChange['policy']> }) {
  const { t } = useTranslation('control');
  const changed = policy.difference.some((line) => line.change !== 'same');
  const version = (number: number | null) =>
    number === null ? (
      t('difference.noVersion')
    ) : (
      <Link
        className="text-link"
        to={href('/dashboard/policies/:policy/versions/:number', { policy: change.resource, number: String(number) })}
      >
        {t('difference.version', { number: String(number) })}
      </Link>
    );
  const side = (state: { status: 'active' | 'inactive' | 'pending'; number: number | null }) => (
    <span className="flex flex-wrap gap-x-4">
      <StatusWord status={state.status} />
      <span>{version(state.number)}</span>
    </span>
  );
  return (
    <div className="grid gap-5">
      <DescriptionList
        items={[
          {
            term: t('difference.policy'),
            description: (
              <Link className="text-link" to={href('/dashboard/policies/:policy', { policy: change.resource })}>
                <bdi>{change.name || t('gone')}</bdi>
              </Link>
            ),
          },
          { term: t('difference.before'), description: side(policy.before) },
          { term: t('difference.after'), description: side(policy.after) },
        ]}
      />
      {changed ? (
        <TextDifference
          lines={policy.difference}
          label={t('difference.text')}
          words={{ added: t('difference.added'), removed: t('difference.taken') }}
        />
      ) : (
        <p className="text-muted">{t('difference.sameText')}</p>
      )}
    </div>
  );
}
