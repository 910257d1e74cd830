/**
 * The `typ` (RFC 8725, section 3.11) of the token that names a visitor to a server of tools. The project's secret signs it, as
 * it signs the host's tokens: by its type it is told apart, so that no one can come to this server with it.
 */
export const VISITOR_TOKEN_TYPE = "nitka-visitor+jwt";
