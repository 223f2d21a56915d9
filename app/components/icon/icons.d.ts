/** Each is made by icon-plugin.ts. */
declare module '~icons/*' {
  const icon: import('#app/components/icon/create-icon.ts').IconComponent;
  export default icon;
}
