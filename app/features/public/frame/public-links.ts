import { href } from 'react-router';

/** The links in the footer of the public pages. A row is added with its page. `text` is the key below `links` of the namespace `public`. */
export const PRODUCT_LINKS = [
  { text: 'features', to: `${href('/')}#features` },
  { text: 'demo', to: `${href('/')}#demo` },
  { text: 'integrations', to: `${href('/')}#integrations` },
  { text: 'workflows', to: href('/workflows') },
  { text: 'compliance', to: href('/compliance') },
  { text: 'analytics', to: href('/analytics') },
  { text: 'pricing', to: href('/pricing') },
  { text: 'docs', to: href('/docs') },
  { text: 'evidence', to: href('/evidence') },
] as const;

export const SOLUTION_LINKS = [
  { text: 'financialServices', to: `${href('/')}#financial-services` },
  { text: 'healthcare', to: `${href('/')}#healthcare` },
  { text: 'legal', to: `${href('/')}#legal-compliance` },
  { text: 'manufacturing', to: `${href('/')}#manufacturing` },
  { text: 'government', to: `${href('/')}#government` },
] as const;

export const COMPANY_LINKS = [
  { text: 'about', to: `${href('/')}#about` },
  { text: 'customers', to: `${href('/')}#testimonials` },
  { text: 'newsletter', to: href('/newsletter') },
  { text: 'contact', to: href('/contact') },
  { text: 'accessibility', to: href('/accessibility') },
] as const;

/** Legal pages, in one line at the very end. */
export const LEGAL_LINKS = [
  { text: 'imprint', to: href('/legal/imprint') },
  { text: 'privacyPolicy', to: href('/legal/privacy') },
  { text: 'terms', to: href('/legal/terms') },
  { text: 'cookies', to: href('/legal/cookies') },
  { text: 'privacy', to: `${href('/')}#privacy-center` },
] as const;
