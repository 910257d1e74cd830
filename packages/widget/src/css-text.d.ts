/** A stylesheet as text: the bundler puts it into the module. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
