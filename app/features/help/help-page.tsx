import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { FoldSection } from '#app/components/list/fold-section.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ShortcutList } from '#app/components/palette/shortcut-list.tsx';
import { SHORTCUT_GROUPS } from '#app/components/palette/shortcuts.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Role } from '#app/contracts/people.ts';
import { GuideList } from '#app/features/help/guide-list.tsx';
import { GUIDE_STEPS, GUIDES } from '#app/features/help/guides.ts';
import { matches } from '#app/features/help/matches.ts';
import { GlossaryList, StatusList } from '#app/features/help/term-lists.tsx';
import { STATUS_GROUP_IDS, STATUS_GROUPS, TERMS } from '#app/features/help/terms.ts';

type Admin = { id: string; name: string; email: string };

export function HelpPage({ words, roles, admins }: { words: string; roles: readonly Role[]; admins: readonly Admin[] }) {
  const { t } = useTranslation('help');
  const guides = GUIDES.filter(({ id }) =>
    matches(words, t(`guides.${id}.title`), t(`guides.${id}.summary`), ...GUIDE_STEPS.map((step) => t(`guides.${id}.step${step}`))),
  );
  const shortcuts = SHORTCUT_GROUPS.map((group) => ({
    id: group.id,
    shortcuts: group.shortcuts.filter(({ id, keys }) => matches(words, t(`shortcut.${id}`), t(`shortcutGroup.${group.id}`), ...keys)),
  })).filter((group) => group.shortcuts.length > 0);
  const terms = TERMS.filter((term) => matches(words, t(`term.${term}`), t(`meaning.${term}`)));
  const groups = useMatchingStatuses(words);
  // Whoever searches wants to see the places; who reads finds the parts by their headings.
  const found = words !== '';
  const nothing = guides.length + shortcuts.length + terms.length + groups.length === 0;
  return (
    <PageFrame
      title={words === '' ? t('title') : t('titleFor', { words })}
      description={t('description')}
      actions={<ButtonLink to={href('/dashboard/help/design')}>{t('design')}</ButtonLink>}
    >
      <SearchForm action={href('/dashboard/help')} words={words} label={t('label')} placeholder={t('placeholder')} submit={t('submit')}>
        {words === '' ? null : <ButtonLink to={href('/dashboard/help')}>{t('clear')}</ButtonLink>}
      </SearchForm>
      {nothing ? <EmptyState title={t('noResults')} description={t('noResultsHint')} /> : null}
      {guides.length === 0 ? null : (
        <Section title={t('guidesTitle')} description={t('guidesText')}>
          <GuideList guides={guides} roles={roles} />
        </Section>
      )}
      <div className="mt-10 empty:hidden">
        {shortcuts.length === 0 ? null : (
          <Fold
            title={t('shortcutsTitle')}
            text={t('shortcutsText')}
            count={shortcuts.flatMap((group) => group.shortcuts).length}
            open={found}
          >
            <ShortcutList groups={shortcuts} />
          </Fold>
        )}
        {groups.length === 0 ? null : (
          <Fold title={t('statusesTitle')} text={t('statusesText')} count={groups.flatMap((group) => group.statuses).length} open={found}>
            <StatusList groups={groups} />
          </Fold>
        )}
        {terms.length === 0 ? null : (
          <Fold title={t('glossaryTitle')} text={t('glossaryText')} count={terms.length} open={found}>
            <GlossaryList terms={terms} />
          </Fold>
        )}
      </div>
      <Contact admins={admins} />
    </PageFrame>
  );
}

type FoldProps = { title: string; text: string; count: number; open: boolean; children: ReactNode };

function Fold({ title, text, count, open, children }: FoldProps) {
  return (
    <FoldSection title={title} count={count} open={open}>
      <p className="mb-4 max-w-measure text-muted">{text}</p>
      {children}
    </FoldSection>
  );
}

function useMatchingStatuses(words: string) {
  const { t } = useTranslation(['help', 'common']);
  return STATUS_GROUP_IDS.map((id) => ({
    id,
    statuses: STATUS_GROUPS[id].filter((status) =>
      matches(
        words,
        t(`help:statusGroup.${id}`),
        t(status === 'require_approval' ? 'common:status.requireApproval' : `common:status.${status}`),
        t(`help:status.${status}`),
      ),
    ),
  })).filter(({ statuses }) => statuses.length > 0);
}

function Contact({ admins }: { admins: readonly Admin[] }) {
  const { t } = useTranslation('help');
  return (
    <Section title={t('contactTitle')} description={t('contactText')}>
      <ul className="mb-4 max-w-measure divide-y divide-line border-y border-line">
        {admins.map((admin) => (
          <li key={admin.id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5 compact:py-1.5">
            <bdi className="font-semibold">{admin.name}</bdi>
            <a href={`mailto:${admin.email}`} className="text-link wrap-anywhere">
              <bdi>{admin.email}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        <li>
          <Link to={href('/dashboard/admin/members')} className="text-link inline-block py-1">
            {t('contactMembers')}
          </Link>
        </li>
        <li>
          <Link to={href('/dashboard/admin/health')} className="text-link inline-block py-1">
            {t('contactHealth')}
          </Link>
        </li>
      </ul>
      <p className="mt-4 max-w-measure text-muted">{t('contactReport')}</p>
    </Section>
  );
}
