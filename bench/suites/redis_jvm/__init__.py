"""`redis_jvm`: codecs of RESP on the JVM."""
