import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useLabel } from '#app/components/text/named.ts';
import { Card } from '#app/components/ui/card.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import type { Role } from '#app/contracts/people.ts';
import type { RuleForm } from '#app/domain/audit/policy-rule.ts';
import { fieldName, useInputWords } from '#app/features/policies/rules/input-words.ts';
import { ACTION_WORDS, useConditionWords } from '#app/features/policies/rules/rule-words.ts';

export const ROLE_WORDS = {
  user: 'rule.roles.user',
  builder: 'rule.roles.builder',
  approver: 'rule.roles.approver',
  auditor: 'rule.roles.auditor',
  admin: 'rule.roles.admin',
} as const satisfies Record<Role, string>;

/** One rule in words; a rule beyond the form's words says so and shows its text. */
export function RuleCard({
  form,
  text,
  workflows,
  action,
}: {
  form: RuleForm | null;
  text: string;
  /** Names of workflows, by id. */
  workflows?: Readonly<Record<string, string>>;
  action?: ReactNode;
}) {
  const { t } = useTranslation('policies');
  if (form === null)
    return (
      <Card className="grid gap-3">
        <p className="font-semibold">{t('rule.textOnly')}</p>
        <p className="text-sm text-muted">{t('rule.textOnlyWhy')}</p>
        <CodeBlock code={text} name={t('rule.textOnly')} />
      </Card>
    );
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-1">
          <StatusWord status={form.verdict} />
          {form.monitors ? <p className="text-sm font-semibold">{t('rule.monitors')}</p> : null}
          <h3 className="font-semibold wrap-anywhere">
            <code className="font-mono text-sm">{form.id}</code>
          </h3>
        </div>
        {action}
      </div>
      <RuleWords form={form} workflows={workflows} />
    </Card>
  );
}

function RuleWords({ form, workflows }: { form: RuleForm; workflows: Readonly<Record<string, string>> | undefined }) {
  const { t } = useTranslation('policies');
  const label = useLabel();
  const wordsOf = useConditionWords(workflows);
  const inputWordsOf = useInputWords();
  const { number } = useFormats();
  const callsOf = ({ actions, tool }: RuleForm) => {
    if (tool !== '') return <bdi>{tool}</bdi>;
    return actions.length === 0 ? t('rule.anyCall') : actions.map((action) => t(ACTION_WORDS[action])).join(' · ');
  };
  return (
    <ul className="grid gap-1 text-sm">
      <li>
        <span className="text-muted">{label(t('rule.calls'))} </span>
        {callsOf(form)}
      </li>
      {form.approvers === '' ? null : <Term term={t('rule.approvers')} value={form.approvers} />}
      {form.dueHours === '' ? null : <Term term={t('rule.dueHours')} value={form.dueHours} />}
      {form.deciders === '' ? null : <Term term={t('rule.deciders')} value={t(ROLE_WORDS[form.deciders])} />}
      {form.group === '' ? null : <Term term={t('rule.group')} value={form.group} />}
      {form.reauthenticate === '' ? null : <Term term={t('rule.reauthenticate')} value={t(`rule.proofs.${form.reauthenticate}`)} />}
      {form.change === null ? null : (
        <Term
          term={t(`rule.changesTo.${form.change.how}`)}
          value={`${fieldName(form.change.path)}${form.change.how === 'cap' ? ` ≤ ${number(form.change.limit)}` : ''}`}
        />
      )}
      {form.role === '' ? null : (
        <li>
          <span className="text-muted">{label(t('rule.who'))} </span>
          {t(ROLE_WORDS[form.role])}
        </li>
      )}
      {form.conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may say the same twice, and has no other name for it
        <li key={index}>
          <span className="font-semibold">{condition.holds ? t('rule.if') : t('rule.unless')}</span> {wordsOf(condition)}
        </li>
      ))}
      {form.inputs.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule may say the same twice, and has no other name for it
        <li key={index}>
          <span className="font-semibold">{condition.holds ? t('rule.if') : t('rule.unless')}</span>{' '}
          <bdi className="wrap-anywhere">{inputWordsOf(condition)}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Term({ term, value }: { term: string; value: string }) {
  const label = useLabel();
  return (
    <li>
      <span className="text-muted">{label(term)} </span>
      <bdi>{value}</bdi>
    </li>
  );
}
