import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, Link, useLocation } from 'react-router';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { lastDay } from '#app/domain/web/last-day.ts';
import type { LoadedWork, WorkPerson } from '#app/features/approvals/work/load-work.server.ts';
import { useDutyText } from '#app/features/approvals/work/use-duty-text.ts';

type Props = { approval: string; work: LoadedWork };

/** Whose duty an open approval is, with the ways to take it, to give it back and to assign it. None of them decides anything. */
export function ApprovalWork({ approval, work }: Props) {
  const { t } = useTranslation('approvals');
  const dutyText = useDutyText();
  return (
    <section aria-label={t('work.label')} className="mb-6 rounded-lg border border-line bg-surface px-4 py-2 text-sm print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="me-auto min-w-0 py-1 break-words">{dutyText(work)}</p>
        {work.mayClaim ? (
          <WorkForm approval={approval} work={work} act="claim">
            <SubmitButton size="small" variant="secondary">
              {t('work.claim')}
            </SubmitButton>
          </WorkForm>
        ) : null}
        {work.mayAssign && work.isMine ? (
          <WorkForm approval={approval} work={work} act="return">
            <SubmitButton size="small" variant="secondary">
              {t('work.return')}
            </SubmitButton>
          </WorkForm>
        ) : null}
      </div>
      <Told told={work.told} />
      <details>
        <summary className="min-h-6 py-1 font-semibold">{work.mayAssign ? t('work.assign') : t('work.who')}</summary>
        <div className="grid gap-3 py-2">
          {work.mayAssign ? <AssignForm approval={approval} work={work} /> : null}
          <People people={work.people} />
          <Link className="text-link justify-self-start py-1" to={href('/dashboard/approvals/deputies')}>
            {t('deputies.link')}
          </Link>
        </div>
      </details>
    </section>
  );
}

/** To whom an approval that nobody decided was escalated. */
function Told({ told: { deputy, deputyAt, roleAt } }: { told: LoadedWork['told'] }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  if (deputyAt === null && roleAt === null) return null;
  return (
    <ul className="text-muted">
      {deputyAt === null ? null : <li>{t('work.deputyTold', { name: deputy ?? t('someone'), at: formats.exactTime(deputyAt) })}</li>}
      {roleAt === null ? null : <li>{t('work.roleTold', { at: formats.exactTime(roleAt) })}</li>}
    </ul>
  );
}

function AssignForm({ approval, work }: Props) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  const id = useId();
  const able = work.people.filter(({ refusal }) => refusal === null);
  const chosen = work.holder === null ? '' : (work.assigned?.id ?? '');
  return (
    <WorkForm approval={approval} work={work} act="assign">
      <div className="flex flex-wrap items-end gap-3">
        <div className="grid min-w-0 flex-1 gap-1 sm:max-w-xs">
          <label htmlFor={id} className="font-semibold">
            {t('work.to')}
          </label>
          <select id={id} name="to" defaultValue={chosen} key={chosen} className={`${CONTROL} min-h-11`}>
            <option value="">{t('work.anyone')}</option>
            {able.map((person) => (
              <option key={person.id} value={person.id}>
                {person.away === null
                  ? person.name
                  : t('work.awayOption', {
                      name: person.name,
                      until: formats.date(lastDay(person.away.until)),
                      deputy: person.away.deputy,
                    })}
              </option>
            ))}
          </select>
        </div>
        <SubmitButton variant="secondary">{t('work.submit')}</SubmitButton>
      </div>
    </WorkForm>
  );
}

/** The address keeps the list's filters. */
function WorkForm({ approval, work, act, children }: Props & { act: 'assign' | 'claim' | 'return'; children: React.ReactNode }) {
  const { search } = useLocation();
  return (
    <Form method="post" action={`${href('/dashboard/approvals/:approval/assign', { approval })}${search}`} preventScrollReset>
      <WorkspaceInput />
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="seen" value={work.assigned?.id ?? ''} />
      {children}
    </Form>
  );
}

const WHY_NOT = {
  requester: 'work.whyNot.requester',
  initiator: 'work.whyNot.requester',
  author: 'work.whyNot.author',
  role: 'work.whyNot.role',
  voted: 'work.whyNot.voted',
} as const satisfies Partial<Record<NonNullable<WorkPerson['refusal']>, string>>;

/** Everyone who may decide, and who may not and why. */
function People({ people }: { people: readonly WorkPerson[] }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  const able = people.filter(({ refusal }) => refusal === null);
  return (
    <ul className="grid gap-1">
      <li>{able.length === 0 ? t('work.nobody') : t('work.able', { names: formats.list(able.map(({ name }) => name)) })}</li>
      {people.map(({ id, name, refusal }) =>
        refusal === null ? null : (
          <li key={id} className="text-muted">
            {t(WHY_NOT[refusal as keyof typeof WHY_NOT] ?? 'work.whyNot.role', { name })}
          </li>
        ),
      )}
    </ul>
  );
}
