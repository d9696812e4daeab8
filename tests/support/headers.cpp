// Deliberately empty: the test programs share the precompiled headers of this file.
