import { useTranslation } from 'react-i18next';
import { ReasonInput } from '#app/components/form/ask/reason-input.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ROLES, type Role } from '#app/contracts/people.ts';
import type { Groups } from '#app/features/admin/sign-in/load-sign-in.server.ts';
import { useSignInCrumbs } from '#app/features/admin/sign-in/provider-page.tsx';

type Row = { name: string; roles: readonly Role[] };
export type GroupsAnswer = { rows: Row[]; withoutRoles: string | null; reasonMissing: boolean } | { reasonMissing: true } | undefined;

/** Rows to fill in, below those that there are. */
const EMPTY_ROWS = 3;

/** The roles that groups of the directory give. A row whose name is cleared is taken out. */
export function GroupsPage({ groups, answer }: { groups: Groups; answer: GroupsAnswer }) {
  const { t } = useTranslation('admin');
  const sent = answer !== undefined && 'rows' in answer ? answer : null;
  const kept: readonly Row[] = sent?.rows ?? groups.groups;
  const rows = [...kept, ...Array.from({ length: EMPTY_ROWS }, (): Row => ({ name: '', roles: [] }))].map((row, at) => ({ ...row, at }));
  return (
    <PageFrame
      title={t('signIn.groups')}
      description={t(groups.secondPersonAgrees ? 'signIn.groupsAsk' : 'signIn.groupsBody')}
      breadcrumbs={useSignInCrumbs()}
    >
      {sent === null || sent.withoutRoles === null ? null : (
        <Notice kind="danger" title={t('signIn.groupWithoutRoles', { name: sent.withoutRoles })} live />
      )}
      <CommandForm hidden={{}} className="grid gap-6">
        {rows.map((row) => (
          <GroupRow key={`${row.at} ${row.name}`} row={row} wrong={row.name !== '' && sent?.withoutRoles === row.name} />
        ))}
        {groups.secondPersonAgrees ? <ReasonInput hint={t('signIn.groupsReason')} missing={answer?.reasonMissing === true} /> : null}
        <div>
          <SubmitButton busyLabel={t('saving')}>{t('signIn.saveGroups')}</SubmitButton>
        </div>
      </CommandForm>
    </PageFrame>
  );
}

function GroupRow({ row, wrong }: { row: Row & { at: number }; wrong: boolean }) {
  const { t } = useTranslation(['admin', 'members']);
  const id = `group-${row.at}`;
  return (
    <fieldset className="grid gap-3 border-b border-line pb-6">
      <legend className="sr-only">{row.name === '' ? t('signIn.newGroup') : <bdi>{row.name}</bdi>}</legend>
      <label htmlFor={id} className="font-semibold">
        {row.name === '' ? t('signIn.newGroup') : t('signIn.group')}
      </label>
      <input
        id={id}
        name={id}
        defaultValue={row.name}
        maxLength={256}
        dir="auto"
        autoComplete="off"
        aria-invalid={wrong || undefined}
        className={`${CONTROL} min-h-11`}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {ROLES.map((role) => (
          <label key={role} className="flex items-center gap-2">
            <input
              type="checkbox"
              name={`roles-${row.at}`}
              value={role}
              defaultChecked={row.roles.includes(role)}
              className="size-5 shrink-0"
            />
            <span>{t(`members:role.${role}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
