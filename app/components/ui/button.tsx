import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
/** `icon`: nothing but an icon, as large as a target must be. */
export type ButtonSize = 'regular' | 'small' | 'icon';

const SHAPE =
  'inline-flex items-center justify-center justify-self-start gap-2 rounded-md border font-semibold no-underline select-none transition-colors duration-[120ms] ease-out disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0';

const SIZES: Record<ButtonSize, string> = {
  regular: 'min-h-11 px-4 py-2 text-base',
  small: 'min-h-8 px-3 py-1 text-sm',
  icon: 'size-6 p-0 text-sm',
};

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'forced-colors:forced-color-adjust-none forced-colors:border-[ButtonText] forced-colors:bg-[ButtonText] forced-colors:text-[ButtonFace] border-accent bg-accent text-accent-ink enabled:hover:border-accent-hover enabled:hover:bg-accent-hover [a&]:hover:border-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border-edge bg-surface text-ink enabled:hover:bg-raised [a&]:hover:bg-raised',
  quiet: 'border-transparent bg-transparent text-accent enabled:hover:bg-accent-soft [a&]:hover:bg-accent-soft',
  danger: 'border-danger-ink bg-surface text-danger-ink enabled:hover:bg-danger [a&]:hover:bg-danger',
};

/** Classes of a button, for the rare element that is neither button nor link (a summary). */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'regular', extra = ''): string {
  return `${SHAPE} ${SIZES[size]} ${VARIANTS[variant]} ${extra}`;
}

type Look = { variant?: ButtonVariant; size?: ButtonSize; className?: string; children: ReactNode };

/** A button. `type` is 'submit' by default, because nearly every button here sends a form. */
export function Button({ variant, size, className, type = 'submit', ...rest }: Look & Omit<ComponentProps<'button'>, keyof Look>) {
  return <button type={type} className={buttonClass(variant, size, className)} {...rest} />;
}

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function ButtonLink({ variant, size, className, ...rest }: Look & Omit<LinkProps, keyof Look>) {
  return <Link className={buttonClass(variant, size, className)} {...rest} />;
}
