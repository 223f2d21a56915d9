import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Wordmark } from '#app/components/look/logo.tsx';
import { NewsletterForm } from '#app/features/public/contact/newsletter-form.tsx';
import { PrivacyCenter } from '#app/features/public/contact/privacy-center.tsx';
import { COMPANY_LINKS, LEGAL_LINKS, PRODUCT_LINKS, SOLUTION_LINKS } from '#app/features/public/frame/public-links.ts';

/** Newsletter, link lists, the Privacy & Compliance Center and the legal line. */
export function PublicFooter() {
  const { t } = useTranslation(['public', 'common']);
  const lists = [
    { title: t('footer.product'), links: PRODUCT_LINKS.map(({ text, to }) => ({ to, text: t(`links.${text}`) })) },
    { title: t('footer.solutions'), links: SOLUTION_LINKS.map(({ text, to }) => ({ to, text: t(`links.${text}`) })) },
    { title: t('footer.company'), links: COMPANY_LINKS.map(({ text, to }) => ({ to, text: t(`links.${text}`) })) },
  ];
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto max-w-page px-4 sm:px-8">
        <div className="grid gap-x-16 gap-y-10 py-10 sm:py-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <div>
            <Wordmark name={t('common:productName')} />
            <p className="mt-3 max-w-[42ch] text-sm text-muted">{t('footer.line')}</p>
            <div className="mt-6 print:hidden">
              <h2 className="font-semibold">{t('newsletter.title')}</h2>
              <p className="mt-1 max-w-[42ch] text-sm text-muted">{t('newsletter.text')}</p>
              <NewsletterForm answer={null} />
            </div>
          </div>
          <div className="grid grid-cols-2 gap-x-3 gap-y-6 min-[22rem]:gap-x-5 sm:gap-x-8 max-sm:[&>:first-child]:row-span-2 max-sm:[&>:nth-child(2)]:col-start-2 sm:grid-cols-4 sm:[&>:first-child]:col-span-2 sm:[&>:first-child>ul]:columns-2 print:hidden">
            {lists.map((list) => (
              <nav key={list.title} aria-label={list.title}>
                <h2 className="text-sm font-semibold">{list.title}</h2>
                <ul className="mt-2 text-sm hyphens-auto wrap-anywhere">
                  {list.links.map((link) => (
                    <li key={link.to} className="mb-1 break-inside-avoid">
                      <Link to={link.to} className="inline-block max-w-full py-1 text-muted hover:text-ink hover:underline">
                        {link.text}
                      </Link>
                    </li>
                  ))}
                </ul>
              </nav>
            ))}
          </div>
        </div>
        <PrivacyCenter />
        <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-3 border-t border-line py-6 text-sm text-muted">
          <p>
            {t('common:productName')} · {t('common:tagline')}
          </p>
          <ul className="flex flex-wrap gap-x-6 gap-y-1 print:hidden">
            {LEGAL_LINKS.map(({ text, to }) => (
              <li key={text}>
                <Link to={to} className="inline-block py-1 hover:text-ink hover:underline">
                  {t(`links.${text}`)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  );
}
