/** The bundler imports a stylesheet as text into the module. */
declare module "*.css?inline" {
  const text: string;
  export default text;
}
